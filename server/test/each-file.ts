import { afterAll } from "vitest";
import { tidyUp } from "./test-service.ts";

// Runs for each test file anew, while helpers are loaded once for many of them.
afterAll(tidyUp);
