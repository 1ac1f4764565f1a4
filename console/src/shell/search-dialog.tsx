import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useLocation } from "wouter";
import { Dialog } from "../parts/dialog.tsx";
import type { Found } from "./search-results.ts";
import { useSearch } from "./use-search.ts";

/** Finds pages, markets, pools, tokens, ids and endpoints, without a hand leaving the keyboard. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [wanted, setWanted] = useState("");
  const [active, setActive] = useState(0);
  const [, go] = useLocation();
  const list = useId();
  const found = useSearch(wanted);
  const chosen = found[active];
  useEffect(() => {
    dialog.current?.showModal();
    field.current?.focus();
  }, []);

  function follow({ path, isOutside }: Found): void {
    onClose();
    if (isOutside) location.assign(path);
    else go(path);
  }
  function press(event: KeyboardEvent): void {
    if (event.key === "Enter" && chosen) {
      event.preventDefault();
      follow(chosen);
    }
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || found.length === 0) return;
    event.preventDefault();
    setActive((active + step + found.length) % found.length);
  }

  return (
    <Dialog ref={dialog} title="Search" onClose={onClose}>
      <input
        ref={field}
        role="combobox"
        aria-label="Search"
        aria-expanded={found.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        {...(chosen ? { "aria-activedescendant": optionId(list, active) } : {})}
        autoComplete="off"
        spellCheck={false}
        placeholder="A market, a token, an address, an id such as txn-…, an endpoint"
        className="min-h-10 w-full rounded-md border border-line bg-ground px-3"
        value={wanted}
        onChange={({ currentTarget }) => {
          setWanted(currentTarget.value);
          setActive(0);
        }}
        onKeyDown={press}
      />
      <Results
        list={list}
        found={found}
        active={active}
        onPoint={setActive}
        onChoose={follow}
        isAsked={wanted.trim() !== ""}
      />
      <p className="mt-3 text-xs text-quiet max-sm:hidden">
        <kbd className="font-mono">↑ ↓</kbd> to choose, <kbd className="font-mono">Enter</kbd> to
        go, <kbd className="font-mono">Esc</kbd> to close.
      </p>
    </Dialog>
  );
}

function optionId(list: string, index: number): string {
  return `${list}-${index}`;
}

type ResultsProps = {
  list: string;
  found: readonly Found[];
  active: number;
  onPoint(index: number): void;
  onChoose(found: Found): void;
  isAsked: boolean;
};

/** A fixed height, so that the dialog stays where it is while somebody types. */
function Results({ list, found, active, onPoint, onChoose, isAsked }: ResultsProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector(`[id="${optionId(list, active)}"]`)?.scrollIntoView({
      block: "nearest",
    });
  }, [list, active]);
  const kinds = [...new Set(found.map(({ kind }) => kind))];
  const placed = found.map((each, index) => ({ each, index }));
  return (
    <div ref={box} className="mt-3 h-[min(24rem,55vh)] overflow-y-auto">
      {found.length === 0 && isAsked && (
        <p role="status" className="py-6 text-center text-quiet">
          Nothing is found under these words.
        </p>
      )}
      <div id={list} role="listbox" aria-label="Results">
        {kinds.map((kind) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset would not be part of a listbox
          <div key={kind} role="group" aria-label={kind}>
            <div
              aria-hidden="true"
              className="px-2 pt-3 pb-1 text-xs font-semibold text-quiet uppercase"
            >
              {kind}
            </div>
            {placed
              .filter(({ each }) => each.kind === kind)
              .map(({ each, index }) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keyboard
                // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field above
                <div
                  key={`${each.path} ${each.title}`}
                  id={optionId(list, index)}
                  role="option"
                  aria-selected={index === active}
                  onMouseMove={() => onPoint(index)}
                  onClick={() => onChoose(each)}
                  className="flex min-h-8 cursor-pointer items-baseline justify-between gap-4 rounded-md px-2 py-1 aria-selected:bg-raised"
                >
                  <span className="min-w-0 break-words">{each.title}</span>
                  <span className="min-w-0 text-right text-xs text-quiet">{each.note}</span>
                </div>
              ))}
          </div>
        ))}
      </div>
    </div>
  );
}
