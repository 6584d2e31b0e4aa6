/** Name and address fields, used by all forms. Messages come from `contactForm`. */
import type { FormReply } from '#app/forms/form.ts'
import { Field, SelectField } from '#app/ui/field.tsx'
import { StateField } from '#app/ui/state-field.tsx'

type Given = { value: (name: string) => string | null; reply: FormReply | undefined }

/** Field names for the error summary. */
export const contactLabels: Record<string, string> = {
  firstName: 'First name',
  lastName: 'Last name',
  address1: 'Address',
  address2: 'Apartment, suite',
  city: 'City',
  state: 'State',
  zip: 'ZIP code',
  email: 'Email',
  phone: 'Phone',
  phoneType: 'Phone type',
  vehicleNote: 'Vehicle',
}

/** Returns the saved value of each field as the form shows it, with the phone number as one line. */
export function contactValue(saved: object): (name: string) => string | null {
  const given = saved as Record<string, unknown>
  const phone = given['phone'] as { digits: string; extension: string | null } | undefined
  return (name) => {
    if (name === 'phone') return phone ? `${phone.digits}${phone.extension ? ` x${phone.extension}` : ''}` : null
    return typeof given[name] === 'string' ? given[name] : null
  }
}

export function NameFields({ value, reply }: Given) {
  return (
    <>
      <Field
        name="firstName"
        label="First name"
        value={value('firstName')}
        reply={reply}
        autoComplete="given-name"
        maxLength={25}
        required
      />
      <Field
        name="lastName"
        label="Last name"
        value={value('lastName')}
        reply={reply}
        autoComplete="family-name"
        maxLength={25}
        required
      />
    </>
  )
}

export function PhoneFields({ value, reply }: Given) {
  return (
    <>
      <Field
        name="phone"
        label="Phone"
        value={value('phone')}
        reply={reply}
        type="tel"
        autoComplete="tel"
        maxLength={40}
        required
      />
      <SelectField name="phoneType" label="Phone type" value={value('phoneType')} reply={reply}>
        <option value="">Choose</option>
        <option value="mobile">Mobile</option>
        <option value="home">Home</option>
        <option value="work">Work</option>
      </SelectField>
    </>
  )
}

export function AddressFields({ value, reply }: Given) {
  return (
    <>
      <Field
        name="address1"
        label="Address"
        value={value('address1')}
        reply={reply}
        autoComplete="address-line1"
        maxLength={100}
        required
        className="wide"
      />
      <Field
        name="address2"
        label="Apartment, suite"
        value={value('address2')}
        reply={reply}
        autoComplete="address-line2"
        maxLength={100}
        required={false}
      />
      <Field
        name="company"
        label="Company"
        value={value('company')}
        reply={reply}
        autoComplete="organization"
        maxLength={80}
        required={false}
      />
      <Field
        name="city"
        label="City"
        value={value('city')}
        reply={reply}
        autoComplete="address-level2"
        maxLength={60}
        required
      />
      <StateField value={value('state')} reply={reply} autoComplete="address-level1" />
      <Field
        name="zip"
        label="ZIP code"
        value={value('zip')}
        reply={reply}
        inputMode="numeric"
        autoComplete="postal-code"
        maxLength={10}
        required
      />
    </>
  )
}
