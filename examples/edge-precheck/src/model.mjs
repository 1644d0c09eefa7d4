// The model, behind a service binding: a Worker of yours that takes `{provider, model, system, prompt, maxTokens}` and gives
// `{text}`. What it needs for its provider never comes here.

/** What `AutoStage` wants of its host, or undefined where no model is bound. */
export function modelOf(binding) {
  if (binding === undefined) return undefined;
  return async (request, signal) => {
    const response = await binding.fetch("https://model.invalid/complete", { method: "POST", body: JSON.stringify(request), signal });
    if (!response.ok) throw new Error(`the model answered ${response.status}`);
    const { text } = await response.json();
    return text;
  };
}
