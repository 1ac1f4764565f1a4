import { messageOf } from "../../lib/errors.ts";
import { keysOf } from "../../live-rails.ts";
import type { Blockchain } from "../../ramp/blockchains.ts";
import { rampChainOf } from "../../ramp/rails/evm/configured-chains.ts";
import { evmDepositAddress } from "../../ramp/rails/evm/deposit-addresses.ts";
import { sweepSigners } from "../../ramp/rails/evm/keys.ts";
import type { RampChain } from "../../ramp/rails/evm/ramp-chain.ts";
import type { RailSettings } from "../../ramp/rails/rail-settings.ts";
import { nodeFindings, type WatchedChain } from "./chain-nodes.ts";
import { broken, type Finding, ok, warning } from "./check.ts";

type ChainSettings = RailSettings["chains"][string];
type Keys = Pick<RailSettings, "keys">;

type ChainOptions = {
  blockchain: string;
  settings: ChainSettings;
  keys: RailSettings["keys"];
  now: number;
  fetch?: typeof globalThis.fetch;
};

/** Whether money can be moved on a chain: its nodes, when blocks are for good, and the keys to our addresses. */
export async function rampChainFindings(options: ChainOptions): Promise<Finding[]> {
  const { blockchain, settings, keys } = options;
  const setting = settingOf(blockchain);
  let chain: RampChain;
  try {
    chain = rampChainOf(blockchain as Blockchain, settings);
  } catch (error) {
    return [
      broken({
        what: messageOf(error),
        why: `No money can be moved on ${blockchain}, and the service does not start.`,
        fix: `Correct what it names in ${setting}.`,
      }),
    ];
  }
  return [
    ...(await nodeFindings({ ...chain, setting, tags: tagsOf(chain) }, options)),
    await hotKeyFinding({ keys }, chain, settings),
    depositKeyFinding({ keys }, chain),
  ];
}

const settingOf = (blockchain: string): WatchedChain["setting"] =>
  `ramp.rails.chains.${blockchain}`;

function tagsOf({ finality, smallDeposits }: RampChain): string[] {
  const rules = [finality, ...(smallDeposits ? [smallDeposits.finality] : [])];
  return [...new Set(rules.flatMap((each) => (each.rule === "tag" ? [each.tag] : [])))];
}

async function hotKeyFinding(
  settings: Keys,
  chain: RampChain,
  { keystoreFile }: ChainSettings,
): Promise<Finding> {
  if (!settings.keys.hotWallet && !keystoreFile) {
    return warning({
      what: `There is no key of the hot wallet ${chain.hotWallet} on this machine.`,
      why: "Where the role ramp runs it is needed to pay out; everywhere else it is better away.",
      fix: `Where it is needed, set SLIPWAY_HOT_WALLET_KEY, or ${settingOf(chain.blockchain)}.keystoreFile and SLIPWAY_KEYSTORE_PASSWORD.`,
    });
  }
  try {
    // The keys of deposits are looked at by themselves.
    const { sweep: _, ...hot } = settings.keys;
    await keysOf({ keys: hot }, chain, keystoreFile ? { keystoreFile } : {});
    return ok(`The key of the hot wallet ${chain.hotWallet} is here`);
  } catch (error) {
    return broken({
      what: messageOf(error),
      why: `Nothing can be paid out on ${chain.blockchain}, and the role ramp does not start.`,
      fix: "Check SLIPWAY_HOT_WALLET_KEY, or the keystoreFile and SLIPWAY_KEYSTORE_PASSWORD.",
    });
  }
}

/** Deposit addresses come from the public key, the signatures that empty them from the private one: they must be a pair. */
function depositKeyFinding({ keys }: Keys, chain: RampChain): Finding {
  if (!keys.sweep) {
    return warning({
      what: "There is no key of the deposit addresses on this machine.",
      why: "Deposits are seen and paid for, but stay where they are until somebody carries them away.",
      fix: "Where the role ramp runs, set SLIPWAY_SWEEP_KEY, unless you sweep with tools of your own.",
    });
  }
  const first = evmDepositAddress(chain.depositKey, 0);
  try {
    const signer = sweepSigners(keys.sweep)(0);
    if (signer?.address === first.toLowerCase()) return ok(`Deposit addresses begin with ${first}`);
  } catch (error) {
    return broken({
      what: messageOf(error),
      why: "Deposits cannot be carried to the hot wallet.",
      fix: "Copy the extended private key again, whole, into SLIPWAY_SWEEP_KEY.",
    });
  }
  return broken({
    what: `SLIPWAY_SWEEP_KEY is not the private key of ${settingOf(chain.blockchain)}.depositKey.`,
    why: "Customers would send crypto to addresses that this key cannot empty.",
    fix: "Set both from the same wallet: the xpub and the xprv of the same path. Take no deposits until they fit.",
  });
}
