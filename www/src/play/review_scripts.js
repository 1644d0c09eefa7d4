// What classifiers, a person and the world could do in a review. Times are milliseconds since the gate was opened.

export const COMMAND = "git push origin main";
export const POLICY_REVISION = "team-policy/3";

const LOW = { risk: "low", authorization: "high", categories: [], recommendation: "allow", rationale: "asked for in so many words" };
const FINE = { after: 900, answer: LOW };
const gives = (answer, after = 1000) => ({ after, answer: { ...LOW, ...answer } });

/**
 * `classifiers`: what `intent` and `safety` do, one after the other: `{ after, answer }`, `observes` for what was
 * looked at, `isThrown`: it throws at once; `applies: false`: it has nothing to say. `person`: when and how a person answers. `append`: how long it takes to
 * write an answer down, and whether that fails. `policyAt`: when another policy comes into force. `holds: false`: what was looked at
 * has changed by the time that it is checked. `result`: a tool's result that the reviewers are shown.
 */
export const SCRIPTS = [
  {
    name: "both recommend it",
    says: "Every classifier recommends it and the policy has nothing against it: the review claims the gate, once.",
    classifiers: [FINE, gives({ risk: "medium", authorization: "medium" })],
  },
  {
    name: "one wants a person",
    says: "A classifier cannot deny. It can only leave the gate to the person.",
    classifiers: [FINE, gives({ risk: "medium", categories: ["protected_source_control"], recommendation: "needs_human" })],
  },
  {
    name: "the risk is too high",
    says: "A critical risk is never approved without a person, whatever is recommended.",
    classifiers: [FINE, gives({ risk: "critical", categories: ["destructive_shared"] })],
  },
  {
    name: "nobody clearly asked for it",
    says: "The higher the risk, the clearer the person has to have asked.",
    classifiers: [gives({ risk: "high", authorization: "low" }), FINE],
  },
  {
    name: "a category wants a person",
    says: "This policy keeps a category with the person: it is the host's floor.",
    policy: { absolute_human: ["protected_source_control"] },
    classifiers: [FINE, gives({ categories: ["protected_source_control"] })],
  },
  {
    name: "what they were shown was cut short",
    says: "A tool's result did not fit. What could matter was lost, so a person looks.",
    result: "remote: this branch is protected, ".repeat(12),
    classifiers: [FINE, FINE],
  },
  {
    name: "one does not answer in time",
    says: "Its time is over: its signal fires, and what it may say later is dropped.",
    classifiers: [FINE, gives({}, 9000)],
  },
  {
    name: "one throws an error",
    says: "That it threw is told, and in which method. The error's text goes nowhere.",
    classifiers: [{ isThrown: true }, FINE],
  },
  {
    name: "none applies",
    says: "Nobody had anything to say of this call.",
    classifiers: [{ applies: false }, { applies: false }],
  },
  {
    name: "the person is faster",
    says: "A person can answer at any moment. The review is cancelled, and counts nowhere.",
    classifiers: [FINE, FINE],
    person: { at: 1300, action: "Deny" },
  },
  {
    name: "the person is a moment too late",
    says: "The review has claimed the gate already: one claim, one answer.",
    classifiers: [FINE, FINE],
    append: { takes: 400 },
    person: { at: 2000, action: "Deny" },
  },
  {
    name: "the person's answer is still being written",
    says: "The person has claimed, and the review comes to its end: it changes nothing any more.",
    classifiers: [FINE, FINE],
    append: { takes: 400 },
    person: { at: 1700, action: "Deny" },
  },
  {
    name: "the approval cannot be written down",
    says: "An approval that nobody could read again is none. There is no second try.",
    classifiers: [FINE, FINE],
    append: { takes: 60, fails: true },
  },
  {
    name: "the policy changes meanwhile",
    says: "The policy is read again under the claim. The assessments were made under another one.",
    classifiers: [FINE, FINE],
    policyAt: 1200,
  },
  {
    name: "what was looked at changes",
    says: "A classifier looked at the branch; it is another one when the host checks again.",
    classifiers: [{ ...FINE, observes: { target: "refs/heads/main", token: "4f1c" } }, FINE],
    holds: false,
  },
];
