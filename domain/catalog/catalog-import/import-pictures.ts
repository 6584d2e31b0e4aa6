/** Pictures that products feeds name by address. Safe in the browser. */

/** The most pictures that one import loads. */
export const maxPictures = 10_000
/** How often a picture is requested while its server doesn't respond. */
export const maxPictureAttempts = 3

/** Why a picture could not be loaded. */
export const pictureProblems = [
  'bad-address',
  'not-https',
  'private-address',
  'unresolved',
  'unreachable',
  'timeout',
  'cut-off',
  'redirects',
  'not-found',
  'refused',
  'too-large',
  'not-a-picture',
  'unreadable',
  'too-many-pixels',
  'too-many',
  'too-many-in-import',
] as const
export type PictureProblem = (typeof pictureProblems)[number]
