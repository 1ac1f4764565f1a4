import { hash } from "node:crypto";
import type { DexToken } from "@slipway/sdk";
import type { ReachedAt } from "../http/endpoint.ts";

const hostForm = /^[\w.-]+(:\d+)?$|^\[[0-9a-fA-F:.]+\](:\d+)?$/;

/** Adds to tokens, as JSON, where their pictures are. A template that is a path is on the host that was asked. */
export function withLogos(
  tokens: string,
  template: string,
  blockchain: string,
  { protocol, host }: ReachedAt,
): string {
  const origin = template.startsWith("/") && hostForm.test(host) ? `${protocol}://${host}` : "";
  const logoOf = ({ id, symbol }: DexToken) =>
    origin + fill(template, { blockchain, address: id, symbol });
  return JSON.stringify(
    (JSON.parse(tokens) as DexToken[]).map((token) => ({ ...token, logo: logoOf(token) })),
  );
}

function fill(template: string, values: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    name in values ? encodeURIComponent(values[name] ?? "") : whole,
  );
}

/** A picture that is always the same for an address and hardly ever the same for two: overlapping discs in a disc. */
export function logoSvg(address: string): string {
  const bytes = hash("sha256", address.toLowerCase(), "buffer");
  const part = (index: number) => (bytes[index] ?? 0) / 255;
  const hue = Math.round(part(0) * 360);
  const colour = (turn: number, light: number) => `hsl(${(hue + turn) % 360} 70% ${light}%)`;
  const disc = (index: number, turn: number, light: number) => {
    const angle = part(index) * 2 * Math.PI;
    const distance = 14 + part(index + 1) * 18;
    const x = (32 + distance * Math.cos(angle)).toFixed(1);
    const y = (32 + distance * Math.sin(angle)).toFixed(1);
    const radius = (14 + part(index + 2) * 16).toFixed(1);
    return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${colour(turn, light)}" fill-opacity=".85"/>`;
  };
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">' +
    '<clipPath id="c"><circle cx="32" cy="32" r="32"/></clipPath><g clip-path="url(#c)">' +
    `<rect width="64" height="64" fill="${colour(0, 42)}"/>` +
    disc(1, 30 + Math.round(part(10) * 40), 58) +
    disc(4, 150 + Math.round(part(11) * 60), 64) +
    disc(7, 330, 72) +
    "</g></svg>"
  );
}
