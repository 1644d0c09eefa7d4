// What the agent wants to run, and what the model does not even look at.
console.log("no notes");
