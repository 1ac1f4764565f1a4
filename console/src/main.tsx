import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "preact";
import { App } from "./app.tsx";

const queries = new QueryClient({
  // The SDK tries again by itself where that helps.
  // Without a network there is still a service on this machine.
  defaultOptions: {
    queries: { retry: false, staleTime: 2_000, networkMode: "always" },
    mutations: { networkMode: "always" },
  },
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
