// Answers, and bodies that are no larger than they may be.

const MOST_BYTES = 1_048_576;

export function refusal(status, code, more = {}) {
  return Response.json({ error: { code, ...more } }, { status });
}

/** The JSON of a body, or undefined. */
export async function bodyOf(request) {
  if (Number(request.headers.get("content-length") ?? 0) > MOST_BYTES) return undefined;
  try {
    const text = await request.text();
    return text.length > MOST_BYTES ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
