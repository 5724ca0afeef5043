/** Drawn in 240 by 120. */
export const cover = (
  <path d="M20 96h200M44 96V74h152v22M68 74V52h104v22M92 52V30h56v22M120 30V14M0 110c30-10 50 8 80 0s50-8 80 0 50 8 80 0" />
);
