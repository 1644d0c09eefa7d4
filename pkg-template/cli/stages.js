// The stages of a decision, each in one sentence for people.

export const STAGES = {
  "bypass-immune": "a rule that no mode and no other rule can lift",
  risk: "what the call would do was judged, whatever the rules say",
  "tool-deny": "a rule denies the whole tool",
  "tool-ask": "a rule asks for every call of the tool",
  "content-rule": "a rule for this kind of call spoke",
  mode: "no rule spoke, and the mode settles it",
  "tool-allow": "a rule allows the whole tool",
  "no-match": "neither rule nor mode says anything",
  "plan-wrap": "in the mode plan nothing may change",
};
