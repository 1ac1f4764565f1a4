import { Slipway } from "@slipway/sdk";
import { render } from "preact";
import { Overview } from "./overview.tsx";

const root = document.getElementById("console");
if (root) render(<Overview client={new Slipway({ baseUrl: location.origin })} />, root);
