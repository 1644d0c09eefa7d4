export const cases = () => [];
