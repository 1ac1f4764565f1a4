/** Does one thing after the other. */
export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Returns a function that does what it is given when everything before is done, whether that went well or not. */
export function takeTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}
