// React 19: properties and events are given as with any component. What the element says is kept and given back.
import { useState } from "react";
import { createRoot } from "react-dom/client";
import "toolgate/element";
import { calls, config as saved, state } from "./settings.js";

function Settings() {
  const [config, setConfig] = useState(saved);
  const [decisions, setDecisions] = useState([]);
  return (
    <>
      <h1>Permission settings</h1>
      <toolgate-preview
        config={config}
        calls={calls}
        state={state}
        mode="default"
        ontoolgate-change={(event) => setConfig(event.detail.config)}
        ontoolgate-decide={(event) => setDecisions(event.detail.decisions)}
      />
      <output id="config">{JSON.stringify(config)}</output>
      <output id="decisions">{decisions.map(({ decision }) => decision?.effective).join()}</output>
    </>
  );
}

createRoot(document.querySelector("#app")).render(<Settings />);
