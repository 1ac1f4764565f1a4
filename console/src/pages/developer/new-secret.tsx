import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";

type Props = { title: string; secret: string; onDone(): void };

/** Something that is shown once. */
export function NewSecret({ title, secret, onDone }: Props) {
  return (
    <Card title={title} className="border-accent">
      <p role="status" className="mb-2">
        Copy it now: it is not shown again.
      </p>
      <div className="flex items-start gap-2 rounded-md bg-raised p-2">
        <code className="min-w-0 flex-1 font-mono text-xs break-all">{secret}</code>
        <CopyButton text={secret} />
      </div>
      <Button className="mt-3" onClick={onDone}>
        I have it
      </Button>
    </Card>
  );
}
