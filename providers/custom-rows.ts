import { type CustomVendor, customVendor } from './custom-vendor.ts';
import { findVendor, type VendorRow } from './vendors.ts';

/** Rows of the described vendors; a name that is taken is left out, and said. */
export function customRows(vendors: Readonly<Record<string, CustomVendor>>): { rows: VendorRow[]; problems: string[] } {
  const entries = Object.entries(vendors);
  const taken = entries.filter(([id]) => findVendor(id) !== undefined);
  return {
    rows: entries.filter((entry) => !taken.includes(entry)).map(([id, vendor]) => customVendor(id, vendor)),
    problems: taken.map(
      ([id]) =>
        `vendors.${id} is left out: ada knows a vendor of that name (${findVendor(id)!.baseUrlVariable} moves it)`,
    ),
  };
}
