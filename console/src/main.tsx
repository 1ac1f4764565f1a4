import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "preact";
import { App } from "./app.tsx";

const queries = new QueryClient({
  // The SDK tries again by itself where that helps.
  defaultOptions: { queries: { retry: false, staleTime: 2_000 } },
});

const root = document.getElementById("console");
if (root) {
  render(
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>,
    root,
  );
}
