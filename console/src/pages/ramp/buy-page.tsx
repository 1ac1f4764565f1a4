import { OrderPage } from "./order-page.tsx";

/** Buys crypto for dollars. */
export function BuyPage() {
  return <OrderPage type="ON_RAMP" />;
}
