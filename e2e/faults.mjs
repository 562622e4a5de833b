// npm run faults: what e2e/faults/main.ts says.
import './faults/main.ts';
