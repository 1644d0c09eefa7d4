// A policy for as long as it is used.
import { Policy } from "toolgate";

export function withPolicy(config, use) {
  const policy = new Policy(config);
  try {
    return use(policy);
  } finally {
    policy.free();
  }
}
