import fc from "fast-check";
import { expect, test } from "vitest";
import { isLoopbackAddress, isPublicAddress } from "./public-address.ts";

test.each([
  "1.1.1.1",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "2a00:1450:4001:831::200e",
])("%s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ["unspecified", "0.0.0.0"],
  ["this network", "0.1.2.3"],
  ["loopback", "127.0.0.1"],
  ["loopback", "127.255.255.255"],
  ["private", "10.0.0.1"],
  ["private", "172.16.0.1"],
  ["private", "172.31.255.255"],
  ["private", "192.168.1.1"],
  ["link-local, and the metadata of clouds", "169.254.169.254"],
  ["shared by providers", "100.64.0.1"],
  ["shared by providers, and the metadata of a cloud", "100.100.100.200"],
  ["protocol assignments, and the metadata of a cloud", "192.0.0.192"],
  ["for documents", "192.0.2.1"],
  ["for documents", "198.51.100.1"],
  ["for documents", "203.0.113.1"],
  ["for benchmarks", "198.18.0.1"],
  ["6to4 relays", "192.88.99.1"],
  ["multicast", "224.0.0.1"],
  ["reserved", "240.0.0.1"],
  ["broadcast", "255.255.255.255"],
  ["unspecified", "::"],
  ["loopback", "::1"],
  ["IPv4 in IPv6", "::127.0.0.1"],
  ["mapped IPv4", "::ffff:127.0.0.1"],
  ["mapped IPv4, even a public one", "::ffff:1.1.1.1"],
  ["translated IPv4", "::ffff:0:127.0.0.1"],
  ["NAT64", "64:ff9b::7f00:1"],
  ["NAT64 of a network", "64:ff9b:1::7f00:1"],
  ["6to4", "2002:7f00:1::"],
  ["Teredo", "2001:0:7f00:1::"],
  ["unique local, and the metadata of a cloud", "fd00:ec2::254"],
  ["link-local", "fe80::1"],
  ["link-local with a zone", "fe80::1%eth0"],
  ["site-local", "fec0::1"],
  ["multicast", "ff02::1"],
  ["for documents", "2001:db8::1"],
  ["discarded", "100::1"],
  ["not given out", "4000::1"],
  ["no address", "example.com"],
  ["no address", ""],
])("%s: %s is not public", (_, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test("an IPv4 address inside an IPv6 address makes it public by no way of writing", () => {
  const prefixes = ["::", "::ffff:", "::ffff:0:", "64:ff9b::"];
  fc.assert(
    fc.property(fc.constantFrom(...prefixes), fc.ipV4(), (prefix, address) => {
      expect(isPublicAddress(prefix + address)).toBe(false);
    }),
  );
});

test("only 127.0.0.0/8 and ::1 are this machine", () => {
  expect(["127.0.0.1", "127.9.9.9", "::1"].map(isLoopbackAddress)).toEqual([true, true, true]);
  expect(["0.0.0.0", "::", "10.0.0.1", "::ffff:127.0.0.1"].map(isLoopbackAddress)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
