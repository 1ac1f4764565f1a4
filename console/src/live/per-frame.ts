/** Does something at most once for each picture the screen shows, however often it is wanted. */
export function perFrame(work: () => void): () => void {
  let isPlanned = false;
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(() => {
      isPlanned = false;
      work();
    });
  };
}
