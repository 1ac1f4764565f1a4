import { expect, test } from "vitest";
import { isDispute, meaningOf } from "./ach-returns.ts";

test.each(["R02", "R03", "R04", "R16", "R17", "R20", "AC04"])("%s stops the account", (code) => {
  expect(meaningOf(code)).toEqual({ isAccountAtFault: true, alarm: null });
});

test.each(["R14", "R15", "R23"])("%s stops the account and is an alarm", (code) => {
  expect(meaningOf(code)).toEqual({ isAccountAtFault: true, alarm: expect.any(String) });
});

test.each(["R06", "R12", "R13", "R32", "R34"])("%s is no fault of the account", (code) => {
  expect(meaningOf(code)).toEqual({ isAccountAtFault: false, alarm: null });
});

test.each(["R18", "R24", "R28", "R01", "R29", "R85", "", "anything"])("%s is an alarm", (code) => {
  expect(meaningOf(code)).toEqual({ isAccountAtFault: false, alarm: expect.any(String) });
});

test.each(["R61", "R62", "R67", "R68", "R70", "R71", "R77"])("%s only argues", (code) => {
  expect(isDispute(code)).toBe(true);
});

test.each(["R03", "R06", "R60", "R78", "R85", "", "R611"])("%s does not argue", (code) => {
  expect(isDispute(code)).toBe(false);
});
