import {
  type KeysClient,
  keysClient,
  type RequestsClient,
  requestsClient,
  type ServiceClient,
  serviceClient,
} from "./account-client.ts";
import { type AnalyticsClient, analyticsClient, type CexClient, cexClient } from "./cex-client.ts";
import { type DexClient, dexClient } from "./dex-client.ts";
import { type OperatorClient, operatorClient } from "./operator-client.ts";
import { type RampClient, rampClient } from "./ramp-client.ts";
import { type SandboxClient, sandboxClient } from "./sandbox-client.ts";
import type { Health } from "./shapes.ts";
import { openStream, type SlipwayStream, type StreamOptions } from "./stream.ts";
import type { StreamChannel } from "./stream-shapes.ts";
import {
  type CallOptions,
  openTransport,
  type SlipwayOptions,
  type Transport,
} from "./transport.ts";

/** A typed client: one method for each endpoint, in groups named like the API's paths. */
export class Slipway {
  readonly dex: DexClient;
  readonly cex: CexClient;
  readonly analytics: AnalyticsClient;
  readonly ramp: RampClient;
  /** The account's keys. */
  readonly keys: KeysClient;
  /** What was asked of the API with the account's keys. */
  readonly requests: RequestsClient;
  /** What operators see and decide; the key needs the scope `operator`. */
  readonly operator: OperatorClient & ServiceClient;
  /** What there is in sandbox mode only. */
  readonly sandbox: SandboxClient;

  readonly #transport: Transport;

  constructor(options: SlipwayOptions) {
    const transport = openTransport(options);
    this.#transport = transport;
    this.dex = dexClient(transport);
    this.cex = cexClient(transport);
    this.analytics = analyticsClient(transport);
    this.ramp = rampClient(transport);
    this.keys = keysClient(transport);
    this.requests = requestsClient(transport);
    this.operator = { ...operatorClient(transport), ...serviceClient(transport) };
    this.sandbox = sandboxClient(transport);
  }

  /** Listens to channels: read it with `for await`. A connection that breaks is made again, and nothing is missed. */
  stream(channels: readonly StreamChannel[], options?: StreamOptions): SlipwayStream {
    return openStream(this.#transport, channels, options);
  }

  /** How the service is doing. Answers also when it is not ready. */
  health(options?: CallOptions): Promise<Health> {
    return healthOf(this.#transport, options);
  }
}

/** How the service is doing, for those who need no whole client. */
export async function healthOf(transport: Transport, options?: CallOptions): Promise<Health> {
  const { body } = await transport.ask("/health/ready", options);
  return body as Health;
}
