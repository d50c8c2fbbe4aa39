// SMP
