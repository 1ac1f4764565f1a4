import { lazy, type ReactNode, Suspense, useLayoutEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { mode } from "../session/session.ts";
import { LiveDot } from "./live-dot.tsx";
import { Navigation } from "./navigation.tsx";
import { ThemeButton } from "./theme-button.tsx";

const SearchDialog = lazy(() =>
  import("./search-dialog.tsx").then((module) => ({ default: module.SearchDialog })),
);

/** What is around every page: where one is, where one can go, and whether this is real money. */
export function Shell({ children }: { children: ReactNode }) {
  const [isSearching, setSearching] = useState(false);
  const menu = useRef<HTMLDialogElement>(null);
  // Whoever sees the page can press the keys.
  useLayoutEffect(() => {
    const opened = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setSearching(true);
    };
    addEventListener("keydown", opened);
    return () => removeEventListener("keydown", opened);
  }, []);
  return (
    <>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:z-20 focus:bg-card focus:p-3"
      >
        Skip to the content
      </a>
      <header className="sticky top-0 z-10 flex items-center gap-2 border-b border-line bg-card px-3 py-2 sm:gap-3 lg:px-5">
        <Button
          look="quiet"
          className="lg:hidden"
          aria-label="Menu"
          aria-haspopup="dialog"
          onClick={() => menu.current?.showModal()}
        >
          ☰
        </Button>
        <Link href="/" className="flex items-center gap-2 font-semibold text-text no-underline!">
          <Mark />
          <span className="max-sm:sr-only">Slipway</span>
        </Link>
        <ModeBadge />
        <Button
          className="ml-auto min-w-0 justify-start text-quiet sm:w-64"
          onClick={() => setSearching(true)}
          aria-haspopup="dialog"
          aria-keyshortcuts="Control+K Meta+K"
        >
          <span aria-hidden="true">⌕</span>
          <span className="truncate max-sm:sr-only">Search</span>
          <kbd className="ml-auto font-mono text-xs max-sm:hidden">Ctrl K</kbd>
        </Button>
        <LiveDot />
        <ThemeButton />
      </header>
      <div className="flex">
        <nav
          aria-label="Pages"
          className="sticky top-[3.1rem] hidden h-[calc(100vh-3.1rem)] w-52 shrink-0 overflow-y-auto border-r border-line p-3 lg:block"
        >
          <Navigation />
        </nav>
        <main id="content" className="mx-auto min-w-0 max-w-[110rem] flex-1 p-3 sm:p-5">
          {children}
        </main>
      </div>
      <Dialog ref={menu} title="Pages">
        <nav aria-label="Pages">
          <Navigation onChosen={() => menu.current?.close()} />
        </nav>
      </Dialog>
      {isSearching && (
        <Suspense>
          <SearchDialog onClose={() => setSearching(false)} />
        </Suspense>
      )}
    </>
  );
}

function ModeBadge() {
  if (mode.value === undefined) return null;
  const isSandbox = mode.value === "sandbox";
  return (
    <span
      title={isSandbox ? "A simulated world: no real money, exchanges or chains." : "Real money."}
      className={`rounded-full border px-2 text-xs leading-5 font-semibold uppercase ${isSandbox ? "border-warn text-warn" : "border-bad text-bad"}`}
    >
      {mode.value}
    </span>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" className="size-6" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#0f766e" />
      <path d="M6 22 26 14" stroke="#99f6e4" strokeWidth="2.5" strokeLinecap="round" />
      <path d="M8 15h13l4-5-3 8-12 4.6z" fill="#fff" />
      <path d="M5 26h22" stroke="#fff" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  );
}
