import { connect } from "node:net";

/** Sends bytes as they are, and says so if they are all; returns what comes back until the connection is closed. */
export function exchange(url: string, bytes: string | Buffer, areAll = false): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let got = "";
    const socket = connect(Number(port), hostname, () => {
      if (areAll) socket.end(bytes);
      else socket.write(bytes);
    });
    socket.on("data", (chunk) => {
      got += chunk;
    });
    socket.once("close", () => resolve(got));
    socket.once("error", () => resolve(got));
  });
}
