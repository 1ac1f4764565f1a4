import { parentPort, workerData } from "node:worker_threads";

const { port } = workerData;
parentPort.postMessage({ kind: "warning", message: `started on port ${port}` });
parentPort.postMessage({ kind: "listening", port: 4711 });
