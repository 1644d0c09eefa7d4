// What the agent wants to run, and what the model looks at before it does.
console.log("dry run: nothing is released");
