import { OrderPage } from "./order-page.tsx";

/** Sells crypto for dollars. */
export function SellPage() {
  return <OrderPage type="OFF_RAMP" />;
}
