setTimeout(() => {
  throw new Error("crashed on purpose");
}, 1);
