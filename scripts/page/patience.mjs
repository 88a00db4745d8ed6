/** Milliseconds for an answer of a page. It bounds failures alone: slow machines have time. */
export const PATIENCE = 90_000;
