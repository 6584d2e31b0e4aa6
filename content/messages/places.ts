/** Messages about ZIP codes and places. */

/** From the specification: for invalid ZIP codes, and for five digits that are not in use. */
export const badZipMessage = 'Oops. Please enter a valid ZIP code.'
