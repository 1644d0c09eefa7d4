// The worker of the workbench: takes jobs by number, tells how far they are, and stops those that nobody wants any more.
import { init } from "toolgate";
import { Desk } from "./desk.js";
import { Job, Stopped } from "./jobs.js";

const desk = new Desk();
const jobs = new Map();
const ready = init();

addEventListener("message", async ({ data: { id, stop, name, asked } }) => {
  if (stop !== undefined) {
    const job = jobs.get(stop);
    if (job !== undefined) job.stopped = true;
    return;
  }
  const job = new Job((progress) => postMessage({ id, progress }));
  jobs.set(id, job);
  try {
    await ready;
    if (job.stopped) throw new Stopped();
    postMessage({ id, answer: await desk[name](asked, job) });
  } catch (error) {
    // A stop is no failure; everything else is said as it is.
    postMessage({ id, failure: error instanceof Stopped ? "stopped" : (error.code ?? "failed"), message: String(error.message) });
  } finally {
    jobs.delete(id);
  }
});
