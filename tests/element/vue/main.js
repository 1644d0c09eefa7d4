// Vue 3: what the element has as a property is set as one, also where the state is a proxy.
import { createApp, h, ref } from "vue";
import "toolgate/element";
import { calls, config as saved, state } from "./settings.js";

const Settings = {
  setup() {
    const config = ref(saved);
    const decisions = ref([]);
    return () => [
      h("h1", "Permission settings"),
      h("toolgate-preview", {
        config: config.value,
        calls,
        state,
        mode: "default",
        onToolgateChange: ({ detail }) => (config.value = detail.config),
        onToolgateDecide: ({ detail }) => (decisions.value = detail.decisions),
      }),
      h("output", { id: "config" }, JSON.stringify(config.value)),
      h("output", { id: "decisions" }, decisions.value.map(({ decision }) => decision?.effective).join()),
    ];
  },
};

createApp(Settings).mount("#app");
