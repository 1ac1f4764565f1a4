import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/fields.tsx";
import { areas } from "./areas.ts";

/** Finds a page. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [wanted, setWanted] = useState("");
  const [, go] = useLocation();
  useEffect(() => dialog.current?.showModal(), []);
  const found = areas
    .flatMap(({ links }) => links)
    .filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
  return (
    <Dialog ref={dialog} title="Search" onClose={onClose}>
      <Field
        label="What are you looking for?"
        value={wanted}
        onChange={({ currentTarget }) => setWanted(currentTarget.value)}
      />
      <ul>
        {found.map(({ name, path }) => (
          <li key={path}>
            <button
              type="button"
              onClick={() => {
                go(path);
                onClose();
              }}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
