import { addressForms } from '#test/records/addresses/address-forms.ts';
import { describeAddressForms } from './imported-address-forms.ts';

describeAddressForms(addressForms);
