import qrcode from "qrcode-generator";
import { useMemo } from "react";

/** Light around a code, without which cameras do not find it. */
const margin = 4;

/** A text for cameras. Whoever cannot use it finds the text beside it. */
export function QrCode({ text }: { text: string }) {
  const { path, size } = useMemo(() => drawn(text), [text]);
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={`QR code of ${text}`}
      className="size-full rounded-md"
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}

function drawn(text: string): { path: string; size: number } {
  // As small as the text allows, and readable with a seventh of it hidden.
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  const cells = Array.from({ length: count * count }, (_, index) => index);
  const path = cells
    .filter((index) => code.isDark(Math.floor(index / count), index % count))
    .map((index) => `M${(index % count) + margin} ${Math.floor(index / count) + margin}h1v1h-1z`);
  return { path: path.join(""), size: count + 2 * margin };
}
