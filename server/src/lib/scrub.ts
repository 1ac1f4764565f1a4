const apiKeyPattern = /slp_[a-z]+_[A-Za-z0-9_]+/g;

/** Takes anything that looks like an API key out of a text that is going to be seen. */
export function scrub(text: string): string {
  return text.includes("slp_") ? text.replace(apiKeyPattern, "slp_***") : text;
}
