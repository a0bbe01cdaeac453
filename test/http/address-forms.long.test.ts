import { addressForms } from '#test/domain/addresses/address-forms.ts';
import { describeAddressForms } from './imported-address-forms.ts';

describeAddressForms(addressForms);
