/** Messages for form fields (specification, section 5), verbatim. */
export const fieldMessages = {
  email: 'Please enter a valid email',
  date: 'Please enter a valid date format MM/DD/YYYY',
  phone: 'Please enter a valid phone number',
  phoneType: 'Please select a phone type',
  firstName: 'Please enter valid First Name',
  lastName: 'Please enter valid Last Name',
  city: 'Please enter valid City',
  address: 'Please enter valid Address',
  state: 'Please enter state',
  zip: 'Please enter valid US Zip Code',
  vehicle: 'Please choose a vehicle',
} as const
