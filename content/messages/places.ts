/** What is said about ZIPs and places. */

/** Of the specification: for what is no ZIP, and for five digits that lie nowhere. */
export const badZipMessage = 'Oops. Please enter a valid ZIP code.'
