/** Prints rows in columns of these widths, one line a row. */
export const tableOf = (widths) => (cells) =>
  console.log(
    cells
      .map((cell, index) => String(cell).padEnd(widths[index]))
      .join(' ')
      .trimEnd(),
  );
