import { type Static, Type } from "typebox";
import { blockchains } from "../blockchains.ts";

const text = (longest: number, description: string) =>
  Type.String({ minLength: 1, maxLength: longest, description });

const NodeUrl = Type.String({
  pattern: "^(https?|wss?)://[^/].*$",
  description: "must be a URL that starts with http, https, ws or wss",
});

const quantity = Type.String({
  pattern: "^\\d{1,30}(\\.\\d{1,18})?$",
  description: 'must be a quantity in quotes, such as "1000"',
});

const Sftp = Type.Object({
  host: text(253, "must be the name of the bank's SFTP server"),
  port: Type.Integer({ minimum: 1, maximum: 65_535, default: 22, description: "must be a port" }),
  username: text(100, "must be the user's name on that server"),
  password: Type.Optional(
    Type.String({
      env: "SLIPWAY_SFTP_PASSWORD",
      isSecret: true,
      description: "must be the password, unless there is a key",
    }),
  ),
  privateKeyFile: Type.Optional(
    text(1_000, "must be the path of the private key with which we log in"),
  ),
  hostKey: Type.String({
    pattern: "^SHA256:[A-Za-z0-9+/]{43}=?$",
    description:
      "must be the server's fingerprint as ssh-keygen -l prints it: SHA256: and 43 characters",
  }),
  outbox: Type.String({ default: "outbox", description: "must be the folder for our files" }),
  inbox: Type.String({ default: "inbox", description: "must be the folder with the bank's files" }),
});

/** The bank through which dollars go, and what it calls us. */
const Bank = Type.Object({
  routingNumber: Type.String({
    pattern: "^\\d{9}$",
    description: "must be the nine digits of the bank's routing number",
  }),
  bankName: text(23, "must be the bank's name, up to 23 characters"),
  accountNumber: Type.String({
    pattern: "^[0-9A-Za-z]{4,17}$",
    isSecret: true,
    description: "must be our account number there, 4 to 17 digits or letters",
  }),
  companyName: text(16, "must be our name on customers' statements, up to 16 characters"),
  companyId: Type.String({
    pattern: "^[0-9A-Z ]{10}$",
    description: "must be the ten characters by which the bank knows us",
  }),
  cutOffs: Type.Array(
    Type.String({
      pattern: "^([01]\\d|2[0-3]):[0-5]\\d$",
      description: "must be a time in New York, such as 17:00",
    }),
    {
      minItems: 1,
      default: ["17:00"],
      description: "must be the times at which ACH files are made",
    },
  ),
  approvals: Type.Integer({
    minimum: 0,
    maximum: 2,
    default: 0,
    description: "must be how many operators have to approve a file before it leaves: 0, 1 or 2",
  }),
  approvalsAboveUsd: Type.Integer({
    minimum: 0,
    default: 0,
    description: "must be the sum in dollars above which a file needs them",
  }),
  folder: Type.Optional(
    text(1_000, "must be a folder: our files go to outbox in it, the bank's are read from inbox"),
  ),
  sftp: Type.Optional(Sftp),
  webhookSecret: Type.Optional(
    Type.String({
      pattern: "^whsec_[A-Za-z0-9+/]{32,88}={0,2}$",
      env: "SLIPWAY_BANK_WEBHOOK_SECRET",
      isSecret: true,
      description: "must be whsec_ and the base64 of 24 to 64 random bytes",
    }),
  ),
});

const finalityTag = Type.Union([Type.Literal("safe"), Type.Literal("finalized")]);

const Limits = Type.Object({
  floor: Type.Optional(quantity),
  perPayout: Type.Optional(quantity),
  perDay: Type.Optional(quantity),
});

const Chain = Type.Object({
  rpcUrls: Type.Array(NodeUrl, {
    minItems: 1,
    isSecret: true,
    description: "must be a list of URLs of nodes, of different operators if it can be",
  }),
  agreeing: Type.Integer({
    minimum: 1,
    maximum: 10,
    default: 2,
    description:
      "must be how many of the nodes must say the same before money is believed, 1 to 10",
  }),
  finality: Type.Union([finalityTag, Type.Integer({ minimum: 1, maximum: 10_000 })], {
    default: "finalized",
    description: "must be finalized, safe, or after how many blocks a block is for good",
  }),
  smallFinality: Type.Optional(
    Type.Union([finalityTag, Type.Integer({ minimum: 1, maximum: 10_000 })], {
      description: "must be finalized, safe or a number of blocks, for small deposits",
    }),
  ),
  smallBelowUsd: Type.Integer({
    minimum: 0,
    default: 0,
    description: "must be the dollars below which a deposit is small",
  }),
  depositKey: Type.String({
    pattern: "^xpub[1-9A-HJ-NP-Za-km-z]{100,120}$",
    description: "must be an extended public key (xpub…): deposit addresses are its children 0/n",
  }),
  hotWallet: Type.String({
    pattern: "^0x[0-9a-fA-F]{40}$",
    description: "must be the address that pays out",
  }),
  keystoreFile: Type.Optional(
    text(1_000, "must be the path of the hot wallet's keystore (version 3 JSON)"),
  ),
  limits: Type.Record(Type.String(), Limits, {
    default: {},
    description: 'must hold floor, perPayout and perDay by token, such as USDC: {perDay: "50000"}',
  }),
});

/** How money moves in live mode. What is left out cannot be used. */
export const RailsSchema = Type.Object({
  bank: Type.Optional(Bank),
  chains: Type.Record(Type.String(), Chain, {
    default: {},
    names: Type.Enum(
      [...blockchains].filter((id) => id !== "bitcoin" && id !== "solana"),
      {
        description: "must be an EVM blockchain of the ramp, such as ethereum",
      },
    ),
    description: "must hold blockchains on which money moves, by id",
  }),
  keys: Type.Object({
    hotWallet: Type.Optional(
      Type.String({
        pattern: "^0x[0-9a-fA-F]{64}$",
        env: "SLIPWAY_HOT_WALLET_KEY",
        isSecret: true,
        description: "must be the hot wallet's private key, 0x and 64 hexadecimal digits",
      }),
    ),
    keystorePassword: Type.Optional(
      Type.String({
        env: "SLIPWAY_KEYSTORE_PASSWORD",
        isSecret: true,
        description: "must be the password of the keystore",
      }),
    ),
    sweep: Type.Optional(
      Type.String({
        pattern: "^xprv[1-9A-HJ-NP-Za-km-z]{100,120}$",
        env: "SLIPWAY_SWEEP_KEY",
        isSecret: true,
        description: "must be the extended private key (xprv…) of the deposit addresses",
      }),
    ),
  }),
  screening: Type.Object({
    watchmanUrl: Type.Optional(
      Type.String({
        pattern: "^https?://[^/]",
        description: "must be the URL of a Watchman server, such as http://watchman:8084",
      }),
    ),
    minMatch: Type.Number({
      minimum: 0.5,
      maximum: 1,
      default: 0.8,
      description: "must be from how alike names count as the same, 0.5 to 1",
    }),
  }),
  verification: Type.Object({
    personaUrl: Type.String({
      pattern: "^https?://[^/]",
      default: "https://withpersona.com/api/v1",
      description: "must be the URL of Persona's API",
    }),
    personaKey: Type.Optional(
      Type.String({
        env: "SLIPWAY_PERSONA_KEY",
        isSecret: true,
        description: "must be an API key of Persona",
      }),
    ),
    personaTemplate: Type.Optional(
      Type.String({
        pattern: "^itmpl_[A-Za-z0-9]+$",
        description: "must be the id of the inquiry template, itmpl_…",
      }),
    ),
    personaWebhookSecret: Type.Optional(
      Type.String({
        minLength: 16,
        env: "SLIPWAY_PERSONA_WEBHOOK_SECRET",
        isSecret: true,
        description: "must be the secret that Persona shows for the webhook",
      }),
    ),
  }),
  prices: Type.Object({
    markets: Type.Record(
      Type.String(),
      Type.Array(Type.String({ pattern: "^[a-z0-9-]+/[A-Za-z0-9]+-[A-Za-z0-9]+$" })),
      {
        default: {},
        description:
          "must hold the markets that make a token's price, such as ETH: [kraken/ETH-USD, coinbase/ETH-USD]",
      },
    ),
    staleSeconds: Type.Integer({
      minimum: 1,
      maximum: 3_600,
      default: 30,
      description: "must be after how many seconds a market that says nothing is not believed",
    }),
    disagreePercent: Type.Number({
      minimum: 0.01,
      maximum: 50,
      default: 1,
      description: "must be by how many percent sources may differ",
    }),
    leastSources: Type.Integer({
      minimum: 1,
      maximum: 10,
      default: 1,
      description: "must be how many markets have to have a price",
    }),
  }),
});

export type RailSettings = Static<typeof RailsSchema>;
