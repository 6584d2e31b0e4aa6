/** The addresses of what an owner made the store look like. */
export const brandPaths = {
  /** `file` is the hash of the logo with ".webp". */
  logo: (file: string) => `/brand/logo/${file}`,
  /** `file` is the accent and the dark color, as "ffb400-14161a.css". */
  colors: (file: string) => `/brand/colors/${file}`,
  /** `file` is the bar's and the buttons' color of a branded store, as "7b1e28-f2c14e.css". */
  storeColors: (file: string) => `/brand/store/${file}`,
} as const
