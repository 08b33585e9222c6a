import { localityOf } from './locality.ts';
import { type VendorRow, type VendorWire, variableStem } from './vendors.ts';

/** A vendor that a person describes: what a row of the table says, without what can be derived. */
export interface CustomVendor {
  /** `{NAME}` is filled from the variable NAME. */
  baseUrl: string;
  /** Default `openai-chat`. */
  wire?: VendorWire;
  title?: string;
  /** Variable that holds the key, which is then needed. Default: `<ID>_API_KEY`, used where it is set. */
  keyVariable?: string;
  keyOptional?: boolean;
  headers?: Readonly<Record<string, string>>;
  /** Model that is asked for when nobody named one. */
  defaultModel?: string;
  /** Whether it counts as local; default: whether its address is one of this machine or of a network of one's own. */
  local?: boolean;
  quirks?: VendorRow['quirks'];
}

/** The row of a described vendor. */
export function customVendor(id: string, vendor: CustomVendor): VendorRow {
  return {
    id,
    title: vendor.title ?? id,
    wire: vendor.wire ?? 'openai-chat',
    baseUrl: vendor.baseUrl.replace(/\/+$/, ''),
    baseUrlVariable: `${variableStem(id)}_BASE_URL`,
    keyVariable: vendor.keyVariable ?? `${variableStem(id)}_API_KEY`,
    keyOptional: vendor.keyOptional ?? vendor.keyVariable === undefined,
    local: vendor.local ?? localityOf(vendor.baseUrl) !== 'elsewhere',
    defaultModel: vendor.defaultModel ?? null,
    ...(vendor.headers ? { headers: vendor.headers } : {}),
    ...(vendor.quirks ? { quirks: vendor.quirks } : {}),
  };
}
