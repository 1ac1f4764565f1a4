import ipaddr from "ipaddr.js";

/** Everything that has been given out for the public internet; the rest of IPv6 is special in some way. */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

/**
 * Whether an IP address is somebody's on the public internet. Private, local, shared and reserved ones are not, nor
 * are IPv6 addresses behind which an IPv4 address may hide.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== "unicast") return false;
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast);
}

/** Whether an IP address is this machine's own. */
export function isLoopbackAddress(text: string): boolean {
  return ipaddr.isValid(text) && ipaddr.parse(text).range() === "loopback";
}
