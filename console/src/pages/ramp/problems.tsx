import { SlipwayError } from "@slipway/sdk";
import { Link } from "wouter";

/** What the API refused and no field shows. */
export function Problems({ messages }: { messages: readonly string[] }) {
  if (messages.length === 0) return null;
  return (
    <div role="alert" className="rounded-md border border-bad p-2 text-bad">
      {messages.map((message) => (
        <p key={message}>✗ {message}</p>
      ))}
    </div>
  );
}

/** Whether something was refused because of who asked. */
export function isForbidden(error: unknown): boolean {
  return error instanceof SlipwayError && error.status === 403;
}

/** Leads whoever is not verified to where that can be changed. */
export function NotVerified({ message }: { message: string }) {
  return (
    <p role="alert" className="rounded-md border border-warn p-3">
      <span className="text-warn">! {message}</span>{" "}
      <Link href="/ramp/verification">Go to verification</Link>
    </p>
  );
}
