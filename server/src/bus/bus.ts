/** A name that messages of one type go under. */
export type Topic<Message> = { readonly name: string; readonly example?: Message };

export function topic<Message>(name: string): Topic<Message> {
  return { name };
}

/** What is live, between threads or between machines. Messages are plain JSON data. */
export type Bus = {
  /** Tells everybody who listens, ourselves included. Nobody listening is fine. */
  publish<Message>(topic: Topic<Message>, message: Message): void;
  /** Returns a function that ends the subscription. */
  subscribe<Message>(topic: Topic<Message>, heard: (message: Message) => void): () => void;
  close(): Promise<void>;
};
