/** A label of a host name this long is a key, not a name. */
const keyLabel = /^[a-z0-9]{24,}$/i;

const hidden = "***";
const textMost = 300;

/** How an endpoint is named: by its host, without anything that could be a key. */
export function displayHost(url: URL): string {
  const labels = url.hostname.split(".").map((label) => (keyLabel.test(label) ? hidden : label));
  return labels.join(".") + (url.port ? `:${url.port}` : "");
}

/** Makes a function that takes everything but the host of this URL out of a text, and shortens it. */
export function scrubberFor(url: URL): (text: string) => string {
  const parts = [
    url.username,
    url.password,
    ...url.pathname.split("/"),
    ...url.searchParams.values(),
    ...url.hostname.split(".").filter((label) => keyLabel.test(label)),
  ];
  const secrets = [...new Set(parts.flatMap((part) => [part, decoded(part)]))]
    .filter((part) => part.length >= 4)
    .sort((a, b) => b.length - a.length);
  return (text) => {
    const shown = secrets.reduce((left, secret) => left.replaceAll(secret, hidden), text);
    return shown.replaceAll(/\b(?:https?|wss?):\/\/[^\s"'<>]+/g, hostOnly).slice(0, textMost);
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function hostOnly(address: string): string {
  try {
    return displayHost(new URL(address));
  } catch {
    return hidden;
  }
}
