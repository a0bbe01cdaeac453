import { addressForms } from '#test/records/addresses/address-forms.ts';
import { describeAddressForms } from './imported-address-forms.ts';

// Every eighth: forms of one sort stand next to each other. The trial tries them all.
describeAddressForms(addressForms.filter((_, index) => index % 8 === 0));
